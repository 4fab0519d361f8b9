import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

export interface StoreTools extends SupplierTools {
  /** Installation key for one purpose. */
  readonly secret: (purpose: string) => Buffer
}

/** Limits of an upload; the store enforces what it can. */
export interface UploadCall {
  readonly id: string
  /** Content type; undefined if it is detected on completion. */
  readonly type: string | undefined
  /** Size limits in bytes. */
  readonly least: number
  readonly most: number
  readonly expiresAt: Date
}

/** File store. Names are ours: letters, digits and underscores. */
export interface UploadStore {
  /** Form fields for an upload to the quarantine. */
  readonly allow: (tools: StoreTools, call: UploadCall) => { readonly url: string; readonly fields: Readonly<Record<string, string>> }
  /** Raw upload; undefined if there is none. Never more than `most` bytes. */
  readonly takeOut: (tools: StoreTools, id: string, most: number) => Promise<Buffer | undefined>
  readonly dropUpload: (tools: StoreTools, id: string) => Promise<void>
  readonly put: (tools: StoreTools, id: string, sealed: Buffer) => Promise<void>
  readonly get: (tools: StoreTools, id: string) => Promise<Buffer | undefined>
  readonly drop: (tools: StoreTools, id: string) => Promise<void>
  /** Other origins that the browser uploads to. */
  readonly origins: readonly string[]
  /** Stores an upload sent to this server; `refused` if the form is not ours or has expired. */
  readonly receive?: (tools: StoreTools, fields: Readonly<Record<string, string>>, file: Buffer) => Promise<'kept' | 'refused'>
}

export type StoreVendor = SupplierVendor<UploadStore>
