import { accountContract } from '#features/account/contract.ts'
import { walletContract } from '#features/wallet/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { gatewayContract, gatewayErrors } from '../contract.ts'
import { alertsContract } from '../contract-alerts.ts'
import { keysContract } from '../contract-keys.ts'
import { requestsContract } from '../contract-requests.ts'
import { usageContract } from '../contract-usage.ts'
import { gatewayTexts } from '../texts.ts'

export const gatewayApi = createApi(gatewayContract, { errors: gatewayErrors, texts: gatewayTexts })
export const alertsApi = createApi(alertsContract, { errors: gatewayErrors, texts: gatewayTexts })
export const keysApi = createApi(keysContract, { errors: gatewayErrors, texts: gatewayTexts })
export const requestsApi = createApi(requestsContract, { errors: gatewayErrors, texts: gatewayTexts })
export const usageApi = createApi(usageContract, { errors: gatewayErrors, texts: gatewayTexts })
/** Read-only use of other features' contracts: the balance and the user's email. */
export const walletApi = createApi({ balanceInfo: walletContract.balanceInfo })
export const accountInfoApi = createApi({ info: accountContract.info })
