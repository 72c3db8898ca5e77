/** Reason why a host function is denied. Everything else that it throws is a failure of its work. */
export class Refusal extends Error {}
