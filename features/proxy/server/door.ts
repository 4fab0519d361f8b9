/** Credentials at the forward proxy for other services, and where it is. */
export { endUses, openUse } from './uses/open-use.ts'
export { endUse, isServed, useOf } from './data.ts'
export { ownProxy, proxyPlace } from './place.ts'
export { useSeen } from './uses/seen.ts'
export { openExits, exitName } from './exits.ts'
