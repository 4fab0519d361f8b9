import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { z } from 'zod'
import type { Lang } from '#platform/shared/texts.ts'

export type FaceConfig = Readonly<Record<string, unknown>>

export type FaceTools = Omit<SupplierTools, 'fetch'>

export interface FaceCall {
  /** Ours: letters, digits and an underscore, at most 32. */
  readonly id: string
  readonly name: string
  readonly number: string
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly lang: Lang
}

/** What the company says: not over yet, the person, nobody recognised, somebody else. */
export type FaceOutcome = 'processing' | 'passed' | 'failed' | 'other'

/** A company whose app compares the person before the camera with the register of residents. */
export interface FaceCheck {
  readonly name: string
  /** Begins; `ref` is what the company calls it, `url` where the person goes. */
  readonly start: (tools: FaceTools, call: FaceCall) => Promise<{ readonly ref: string; readonly url: string }>
  readonly query: (tools: FaceTools, ref: string) => Promise<FaceOutcome>
}

export interface FaceVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: Readonly<Record<string, z.ZodType>>
  /** Undefined: it has no credentials. */
  readonly connect: (config: FaceConfig) => FaceCheck | undefined
}
