/** Forward proxy credentials for other services, and the proxy's address. */
export { endUses, openUse } from './uses/open-use.ts'
export { endUse, isProxyServed, selectUse } from './data.ts'
export { getOwnProxyUrl, resolveProxyAddress } from './proxy-address.ts'
export { readUseFacts } from './uses/use-facts.ts'
export { listOpenExits, translateExitName } from './proxy-address.ts'
