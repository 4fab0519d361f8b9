import { createApi } from '#platform/web/calls/api.ts'
import { billsContract } from '../contract-bills.ts'
import { cardsContract } from '../contract.ts'
import { cardErrors } from '../errors.ts'

// The server's own words are shown: a refusal of the issuer says more than a text kept here could.
export const cardsApi = createApi(cardsContract, { errors: cardErrors })
export const billsApi = createApi(billsContract, { errors: cardErrors })
