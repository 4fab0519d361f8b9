import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Loads a package of several megabytes on first use, because only some processes or settings need it: a process that relays model calls
 * does not load a payment vendor's SDK. `T` is `typeof import('the-package')`.
 */
export function loadPackage<T>(name: string): T {
  return require(name) as T
}
