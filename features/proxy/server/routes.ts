import { bind } from '#platform/server/feature.ts'
import { proxyContract } from '../contract.ts'
import { code, link, list, remove, state } from './extension/verbs.ts'
import { apply, available, end, stat, switchyOmega, uses } from './uses/verbs.ts'

export const proxyRoutes = bind(proxyContract, {
  proxyStat: stat,
  proxyApply: apply,
  proxyAvailable: available,
  proxyEnd: end,
  proxyUses: uses,
  switchyOmega,
  extensionCode: code,
  extensionList: list,
  extensionRemove: remove,
  extensionLink: link,
  extensionState: state,
})
