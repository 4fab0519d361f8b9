import { parseForm } from '../oracles/create-oracle.ts'

/** Parses `a[b][0][c]=1` as Stripe's SDKs write it; every value is text. */
export const parseStripeForm = (body: string): Record<string, any> => parseForm(new URLSearchParams(body))
