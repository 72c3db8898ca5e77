export default ({ numbers }) => {
  if (numbers.length === 0) throw new Error('there are no numbers: give at least one');
  const sorted = [...numbers].sort((a, b) => a - b);
  const count = sorted.length;
  const at = (share) => {
    const place = share * (count - 1);
    const low = sorted[Math.floor(place)];
    return low + (sorted[Math.ceil(place)] - low) * (place - Math.floor(place));
  };
  const mean = sorted.reduce((sum, number) => sum + number, 0) / count;
  const squares = sorted.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  const deviation = count > 1 ? Math.sqrt(squares / (count - 1)) : 0;
  return { count, mean, median: at(0.5), deviation, p95: at(0.95) };
};
