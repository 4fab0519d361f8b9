import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { z } from 'zod'

export type StoreConfig = Readonly<Record<string, unknown>>

export interface StoreTools extends SupplierTools {
  readonly publicUrl: () => string
  /** A key of the installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}

/** What an upload may be; the store refuses anything else as far as it can. */
export interface UploadCall {
  readonly id: string
  /** Undefined: what it is shows once it is taken in. */
  readonly type: string | undefined
  /** Bytes, at least and at most. */
  readonly least: number
  readonly most: number
  readonly expiresAt: Date
}

/** Where files lie. Names are ours: letters, digits and underscores. */
export interface Store {
  /** A form that uploads to the quarantine. */
  readonly allow: (tools: StoreTools, call: UploadCall) => { readonly url: string; readonly fields: Readonly<Record<string, string>> }
  /** An upload as it came; undefined when there is none. Never more than `most` bytes. */
  readonly takeOut: (tools: StoreTools, id: string, most: number) => Promise<Buffer | undefined>
  readonly dropUpload: (tools: StoreTools, id: string) => Promise<void>
  readonly put: (tools: StoreTools, id: string, sealed: Buffer) => Promise<void>
  readonly get: (tools: StoreTools, id: string) => Promise<Buffer | undefined>
  readonly drop: (tools: StoreTools, id: string) => Promise<void>
  /** Hosts that a browser uploads to, if they are not this site's. */
  readonly origins: readonly string[]
  /** Takes an upload that came to this server; undefined: the form was not ours, or it is too late. */
  readonly receive?: (tools: StoreTools, fields: Readonly<Record<string, string>>, file: Buffer) => Promise<'kept' | 'refused'>
}

export interface StoreVendor {
  readonly name: string
  readonly env: Readonly<Record<string, z.ZodType>>
  /** Undefined: it is not configured. */
  readonly connect: (config: StoreConfig) => Store | undefined
}
