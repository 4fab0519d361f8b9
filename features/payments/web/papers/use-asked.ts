import { createApi } from '#platform/web/calls/api.ts'
import { askedContract } from '../../contract-asked.ts'
import { paymentErrors } from '../../errors.ts'
import { paymentTexts } from '../../texts.ts'

export const askedApi = createApi(askedContract, { alone: true, errors: paymentErrors, texts: paymentTexts })
export const ASKED = ['payments', 'asked'] as const
