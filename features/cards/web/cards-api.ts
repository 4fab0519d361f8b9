import { createApi } from '#platform/web/calls/api.ts'
import { billsContract } from '../contract-bills.ts'
import { cardsContract } from '../contract.ts'
import { cardErrors } from '../errors.ts'

// Shows the server's message: an issuer's refusal is more specific than a text kept here.
export const cardsApi = createApi(cardsContract, { errors: cardErrors })
export const billsApi = createApi(billsContract, { errors: cardErrors })
