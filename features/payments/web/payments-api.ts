import { createApi } from '#platform/web/calls/api.ts'
import { paymentsContract } from '../contract.ts'
import { paymentErrors } from '../errors.ts'
import { paymentTexts } from '../texts.ts'

export const paymentsApi = createApi(paymentsContract, { alone: true, errors: paymentErrors, texts: paymentTexts })
