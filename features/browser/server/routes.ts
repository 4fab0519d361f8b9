import { bind } from '#platform/server/feature.ts'
import { browserContract } from '../contract.ts'
import { accountStatus, fastemailApply, fastemailAvailable, latestOverseaAccount, listOverseaAccount, reprocess } from './accounts/verbs.ts'
import { authToken, browserSession } from './packages/token.ts'
import { activateTrial, packageApply, packageUseInfo, singleUseApply, singleUseInfo } from './packages/verbs.ts'

export const browserRoutes = bind(browserContract, {
  packageUseInfo,
  activateTrial,
  packageApply,
  singleUseInfo,
  singleUseApply,
  authToken,
  browserSession,
  listOverseaAccount,
  accountStatus,
  fastemailAvailable,
  fastemailApply,
  latestOverseaAccount,
  reprocess,
})
