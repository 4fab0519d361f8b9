import { bind } from '#platform/server/feature.ts'
import { proxyContract } from '../contract.ts'
import { createExtensionCode, linkExtension, listProxyExtensions, removeExtension, readExtensionState } from './extension/verbs.ts'
import { applyForProxy, readAvailableProxy, endProxyUse, readProxyStat, downloadOmegaProfile, listProxyUses } from './uses/verbs.ts'

export const proxyRoutes = bind(proxyContract, {
  proxyStat: readProxyStat,
  proxyApply: applyForProxy,
  proxyAvailable: readAvailableProxy,
  proxyEnd: endProxyUse,
  proxyUses: listProxyUses,
  switchyOmega: downloadOmegaProfile,
  extensionCode: createExtensionCode,
  extensionList: listProxyExtensions,
  extensionRemove: removeExtension,
  extensionLink: linkExtension,
  extensionState: readExtensionState,
})
