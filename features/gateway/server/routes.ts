import { bind } from '#platform/server/feature.ts'
import { gatewayContract } from '../contract.ts'
import { alertsContract } from '../contract-alerts.ts'
import { forwardContract } from '../contract-forward.ts'
import { keysContract } from '../contract-keys.ts'
import { requestsContract } from '../contract-requests.ts'
import { usageContract } from '../contract-usage.ts'
import { gptForwardApply, gptForwardGet } from './forward/verbs.ts'
import { keySpend, listKeys } from './keys/list-keys.ts'
import { endOldSecret, rotateKey, switchKey, deleteKey, updateKey } from './keys/change-key.ts'
import { testKey } from './keys/test-key.ts'
import { openCalls } from './requests/open-calls.ts'
import { refusedCall } from './requests/refused-call.ts'
import { requestCounts } from './requests/request-counts.ts'
import { requests } from './requests/requests.ts'
import { alerts, saveAlerts, testWebhook } from './alerts/alerts.ts'
import { showCall, calls } from './usage/list-calls.ts'
import { generateKey } from './keys/generate-key.ts'
import { modelPrice } from './catalogue/model-price.ts'
import { ownPrices } from './terms/read.ts'
import { usage } from './usage/list-usage.ts'
import { usageCsv } from './usage/usage-csv.ts'
import { usageSeries } from './usage/usage-series.ts'
import { usageSummary } from './usage/usage-summary.ts'

export const keyRoutes = bind(keysContract, { keySpend, rotateKey, endOldSecret, switchKey, testKey })
export const forwardRoutes = bind(forwardContract, { gptForwardGet, gptForwardApply })
export const requestRoutes = bind(requestsContract, { requests, requestCounts, openCalls, refusedCall })
export const gatewayRoutes = bind(gatewayContract, { generateKey, updateKey, deleteKey, listKeys, modelPrice, ownPrices })
export const alertRoutes = bind(alertsContract, { alerts, saveAlerts, testWebhook })
export const usageRoutes = bind(usageContract, { usage, usageSeries, calls, call: showCall, usageSummary, usageCsv })
