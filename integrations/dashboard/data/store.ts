import type { StoreView } from '../views.js';
import type { DataSource } from './source.js';

export async function storeView({ store }: DataSource): Promise<StoreView> {
  return { facts: [{ name: 'store', value: store }], findings: [] };
}
