/** The tools of the agent. The warehouse is a service that refuses every fourth connection. */
let lookups = 0;

async function findOrder({ id }: { id: string }) {
  if (lookups++ % 4 === 3) {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' });
  }
  return { id, status: 'sent', city: 'Lisbon' };
}

async function shippingDays({ city }: { city: string }) {
  return { city, days: city === 'Lisbon' ? 2 : 4 };
}

export const shop = { find_order: findOrder, shipping_days: shippingDays };

const text = { type: 'string' };
const schema = (name: string, description: string, field: string) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: { [field]: text }, required: [field] } },
});

/** Descriptions of the tools, for the model. */
export const SHOP_SCHEMAS = [
  schema('find_order', 'Finds an order by its number', 'id'),
  schema('shipping_days', 'Says how many days a parcel needs to a city', 'city'),
];
