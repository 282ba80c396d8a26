/** The server's time, and how times are told: in the player's own time zone and language. */

let offset = 0;

/** `serverNow`: the server's clock (RFC 3339) in an answer that has just come. */
export function sync(serverNow) {
  offset = Date.parse(serverNow) - Date.now();
}

/** The server's time now, in milliseconds. */
export function now() {
  return Date.now() + offset;
}

export function millisecondsTo(instant) {
  return Date.parse(instant) - now();
}

/** "2 d 4 h", "3 h 12 min", "4:05", "0:00"; never negative. */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "every 6 hours", "every 30 seconds" */
export function pace(seconds) {
  if (seconds % 86400 === 0) return seconds === 86400 ? "every day" : `every ${seconds / 86400} days`;
  if (seconds % 3600 === 0) return seconds === 3600 ? "every hour" : `every ${seconds / 3600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? "every minute" : `every ${seconds / 60} minutes`;
  return `every ${seconds} seconds`;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const timeOnly = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

const wholeDay = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });

export const timeOfDay = (instant) => timeOnly.format(new Date(instant));
/** "Today", or the day by name. */
export const dayName = (instant) => (isToday(new Date(instant)) ? "Today" : wholeDay.format(new Date(instant)));
export const dayTime = (instant) => dayAndTime.format(new Date(instant));
export const exactTime = (instant) => exact.format(new Date(instant));

function isToday(date) {
  return date.toDateString() === new Date(now()).toDateString();
}

/** Time of day alone if it is today, else with the day. */
export function shortTime(instant) {
  const at = new Date(instant);
  return isToday(at) ? timeOnly.format(at) : dayAndTime.format(at);
}

/** Calls `draw` each second, at the turn of the server's second; answers a function that ends it. */
export function everySecond(draw) {
  let timer = null;
  const again = () => {
    draw();
    timer = setTimeout(again, 1000 - (((now() % 1000) + 1000) % 1000) + 5);
  };
  again();
  return () => clearTimeout(timer);
}
