import { createApi } from '#platform/web/calls/api.ts'
import { ordersContract } from '../contract-orders.ts'
import { paperContract } from '../contract-paper.ts'
import { withdrawContract } from '../contract-withdraw.ts'
import { paymentErrors } from '../errors.ts'
import { paymentTexts } from '../texts.ts'

const about = { alone: true, errors: paymentErrors, texts: paymentTexts } as const

/** API calls of the pages; those of the dialog and the strip are in payments-api.ts, which the shell loads. */
export const ordersApi = createApi(ordersContract, about)
export const withdrawApi = createApi(withdrawContract, about)
export const paperApi = createApi(paperContract, about)
