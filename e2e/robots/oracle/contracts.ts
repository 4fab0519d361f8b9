import type { z } from 'zod'
import { features } from '#apps/server/features.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

/** The contract of a call. */
export interface ContractedCall {
  readonly endpoint: Endpoint
  readonly pattern: RegExp
  /** Codes that the call may return, with their names. */
  readonly codes: ReadonlyMap<number, string>
}

const COMMON_CODES: ReadonlySet<number> = new Set(Object.values(commonErrors).map(({ code }) => code))

function listContractedCalls(): ReadonlyMap<string, ContractedCall[]> {
  const all = new Map<string, ContractedCall[]>()
  // a contract may name errors of another feature
  const specs: Readonly<Record<string, { readonly code: number }>> = Object.assign({}, commonErrors, ...features.map(({ errors = {} }) => errors))
  for (const { routes = [] } of features)
    for (const { contract, errors = {} } of routes)
      for (const endpoint of Object.values(contract)) {
        const codes = new Map(endpoint.errors.map((name) => [{ ...specs, ...errors }[name]?.code ?? 0, name]))
        const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
        all.set(endpoint.method, [...(all.get(endpoint.method) ?? []), { endpoint, pattern, codes }])
      }
  return all
}

const contractedCalls = listContractedCalls()

/** The contract of a call; a path without parameters wins over one with them. */
export function findContractedCall(method: 'GET' | 'POST', path: string): ContractedCall | undefined {
  const fits = (contractedCalls.get(method) ?? []).filter(({ pattern }) => pattern.test(path))
  return fits.find(({ endpoint }) => endpoint.path === path) ?? fits[0]
}

/** A code's name in the contract of a call. */
export const findCodeName = (method: 'GET' | 'POST', path: string, code: number): string => findContractedCall(method, path)?.codes.get(code) ?? ''

/** Calls for orders of every type: each type refuses with the codes of the feature that sells it. */
const ANY_ORDER = /^\/(?:api\/go\/)?v1\/(?:pay\/(?:quote|channelList|balancePay|extraPayParam)|payOrder|payParam)$/

/** Checks a reply against its contract; returns the problem, or undefined. */
export function describeContractBreach({ endpoint, codes }: ContractedCall, code: number, data: unknown): string | undefined {
  if (code !== 200)
    return codes.has(code) || ANY_ORDER.test(endpoint.path) || COMMON_CODES.has(code) ? undefined : `code ${code}, which the contract does not name`
  const parsed = (endpoint.reply as z.ZodType).safeParse(data)
  return parsed.success ? undefined : `${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`
}
