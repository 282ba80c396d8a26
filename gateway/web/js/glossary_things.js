/** What units, buildings and fields of research are for, in words; their numbers stand in the rules' tables. */
export const UNIT_WORDS = {
  militia: "Cheap and steady: better at guarding than at coming.",
  outrider: "Fast riders: they get twice as far as the rest, and hit hard in the open.",
  wrecker: "Engines against walls: strong in attack, weak when caught.",
};

const walls = (row) => `Adds ${row.defence} to each defending unit's defence`;
const pays = (row, { resources }) => `Yields ${resources.filter((name) => row.yields[name]).map((name) => `${row.yields[name]} ${name}`).join(", ")} more each tick.`;

/** By building: (its row of the table, rules) -> words. */
export const BUILDING_WORDS = {
  bastion: (row) => `The old heart of a starting hold. It raises ${row.raises.join(", ")}. ${walls(row)}.`,
  palisade: (row) => `Walls. ${walls(row)}.`,
  "muster-hall": (row) => `Raises ${row.raises.join(", ")} in this hold. ${walls(row)}.`,
  watch: (row) => `A tower: this hold sees ${row.sight} route further. ${walls(row)}.`,
  archive: (row, { limits }) => `Research takes ${row.research_cut} % less time for each archive you own; ${limits.archives_counted} of them count.`,
  growhouse: pays,
  "salvage-yard": pays,
  cistern: pays,
};

/** By field of research. */
export const TECH_WORDS = {
  economy: "Economy", military: "War", logistics: "Roads and sight", diplomacy: "Diplomacy",
};
