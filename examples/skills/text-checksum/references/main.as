// Checksums of a text: CRC-32 (IEEE 802.3) and Adler-32 (RFC 1950) of its UTF-8 bytes.
import { readInput, readStrings, write } from "./io";

function crc32(bytes: Uint8Array): u32 {
  let crc: u32 = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    crc ^= bytes[at];
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

function adler32(bytes: Uint8Array): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  for (let at = 0; at < bytes.length; at++) {
    a = (a + bytes[at]) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

function hex(value: u32): string {
  return (value as u64).toString(16).padStart(8, "0");
}

const input = readStrings(readInput());
const text = input.has("text") ? input.get("text") : "";
const bytes = Uint8Array.wrap(String.UTF8.encode(text));
write('{"crc32":"' + hex(crc32(bytes)) + '","adler32":"' + hex(adler32(bytes)) + '","bytes":' + bytes.length.toString() + "}");
