/** The columns of a report, in the order of the screen. */
export const columns = ['region', 'product', 'amount'];

/** The rows that somebody sees: those of one region, the largest amount first. */
export function reportRows(sales, region) {
  return sales.filter((sale) => sale.region === region).sort((a, b) => b.amount - a.amount);
}
