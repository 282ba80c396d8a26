/** What to expect of a computer player, by its level. Levels that the server knows and we do not go without a line. */
const WORDS = {
  harmless: "Takes a few empty holds and never attacks anybody. For finding your feet.",
  sound: "Grows wherever it can, guards what it has, and attacks where it is far stronger. Makes no pacts.",
  strong: "Attacks as soon as it can win, learns for war, and makes pacts.",
};

export const levelWords = (level) => WORDS[level] ?? "";
