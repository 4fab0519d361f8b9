import { createApi } from '#platform/web/calls/api.ts'
import { accountErrors } from '../../errors.ts'
import { factorsContract } from '../../contract-factors.ts'
import { historyContract } from '../../contract-history.ts'
import { payPasswordContract } from '../../contract-pay-password.ts'
import { profileContract } from '../../contract-profile.ts'
import { securityContract } from '../../contract-security.ts'
import { accountTexts } from '../../texts.ts'

const feature = { errors: accountErrors, texts: accountTexts }
export const securityApi = createApi(securityContract, feature)
export const factorsApi = createApi(factorsContract, feature)
export const payPasswordApi = createApi(payPasswordContract, feature)
export const profileApi = createApi(profileContract, feature)
export const historyApi = createApi(historyContract, feature)
