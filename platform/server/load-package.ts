import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package of some megabytes that only some processes or settings use, loaded when it is first used: a process that relays model
 * calls never pays for a payment vendor's SDK. `T` is `typeof import('the-package')`.
 */
export function loadPackage<T>(name: string): T {
  return require(name) as T
}
