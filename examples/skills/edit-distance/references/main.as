// Levenshtein distance of two texts in UTF-16 units, and their similarity from 0 to 1.
import { readInput, readStrings, write } from "./io";

function distance(one: string, other: string): i32 {
  let row = new Int32Array(other.length + 1);
  for (let at = 0; at <= other.length; at++) row[at] = at;
  for (let line = 1; line <= one.length; line++) {
    let diagonal = row[0];
    row[0] = line;
    for (let at = 1; at <= other.length; at++) {
      const above = row[at];
      const changed = diagonal + (one.charCodeAt(line - 1) == other.charCodeAt(at - 1) ? 0 : 1);
      row[at] = min(changed, min(above, row[at - 1]) + 1);
      diagonal = above;
    }
  }
  return row[other.length];
}

const input = readStrings(readInput());
const one = input.has("one") ? input.get("one") : "";
const other = input.has("other") ? input.get("other") : "";
const steps = distance(one, other);
const longest = max(one.length, other.length);
// In thousandths, so that the text of the number is short.
const similarity = longest == 0 ? 1000 : ((longest - steps) * 1000) / longest;
write('{"distance":' + steps.toString() + ',"similarity":' + (similarity as f64 / 1000).toString() + "}");
