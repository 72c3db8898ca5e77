export function total(order) {
  let sum = 0;
  for (const line of order.lines) {
    sum += line.count * line.product.price;
  }
  return sum;
}
