export function formatCents(cents: number): string {
  const amount = Math.abs(cents);
  const whole = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${(cents < 0 ? '-' : '') + whole}.${String(amount % 100).padStart(2, '0')}`;
}
