import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { Lang } from '#platform/shared/texts.ts'

export type { SupplierTools }

export type FaceConfig = Readonly<Record<string, unknown>>

export interface FaceCall {
  /** Our reference: letters, digits and an underscore, at most 32. */
  readonly id: string
  readonly name: string
  readonly number: string
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly lang: Lang
}

/** Result from the vendor: not over yet, match, face not recognised, another person. */
export type FaceOutcome = 'processing' | 'passed' | 'failed' | 'other'

/** A vendor whose app compares the face with the residents' register. */
export interface FaceCheck {
  readonly name: string
  /** Starts a check; `ref` is the vendor's id, `url` the page for the user. */
  readonly start: (tools: SupplierTools, call: FaceCall) => Promise<{ readonly ref: string; readonly url: string }>
  readonly query: (tools: SupplierTools, ref: string) => Promise<FaceOutcome>
}

export type FaceVendor = SupplierVendor<FaceCheck>
