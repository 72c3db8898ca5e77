const LENGTHS = { AT: 20, BE: 16, CH: 21, DE: 22, DK: 18, ES: 24, FI: 18, FR: 27, GB: 22, IE: 22, IT: 27, LU: 20, NL: 18, NO: 15, PL: 28, PT: 25, SE: 24 };
export default ({ iban }) => {
  const plain = iban.replace(/\s/g, '').toUpperCase();
  const country = plain.slice(0, 2);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(plain)) return { valid: false, reason: 'it does not begin with a country and two digits' };
  if (!Object.hasOwn(LENGTHS, country)) return { valid: false, reason: 'the country ' + country + ' is not known' };
  if (plain.length !== LENGTHS[country]) return { valid: false, reason: 'it has ' + plain.length + ' characters, not ' + LENGTHS[country] };
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) rest = Number(String(rest) + Number.parseInt(character, 36)) % 97;
  return rest === 1 ? { valid: true, reason: 'the checksum holds' } : { valid: false, reason: 'the checksum does not hold' };
};
