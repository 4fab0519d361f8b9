/** The vendors whose models stand for all that the gateway serves. */
export const VENDORS = ['openai', 'anthropic', 'google'] as const
export type Vendor = (typeof VENDORS)[number]

export interface Place {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}

/** A turn asked of a client, in no client's words. */
export interface Asked {
  readonly question: string
  readonly system?: string
  readonly media?: { readonly mime: string; readonly data: string; readonly name: string }
  readonly tool?: { readonly name: string; readonly description: string; readonly schema: Record<string, unknown> }
  readonly choice?: 'forced' | 'none'
  readonly schema?: Record<string, unknown>
  readonly thinking?: boolean
  readonly maxTokens?: number
  /** Mark the prompt for the cache, where the client's API has marks. */
  readonly cache?: boolean
  readonly stream?: boolean
  /** Leave after the first piece of the answer. */
  readonly leave?: boolean
}

export interface Told {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: unknown }[]
  readonly end: 'end' | 'length' | 'tools' | 'other'
  /** Tokens; input with what was cached. */
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
  readonly thought: boolean
  /** Pieces of text, and of a call's arguments, that a stream came in. */
  readonly pieces: number
  readonly argPieces: number
  /** The same conversation with the calls answered. */
  readonly answer: (result: string) => Promise<Told>
}

/** One client package, and how it is used as its documentation says. */
export interface Client {
  readonly id: string
  readonly label: string
  readonly package: string
  readonly vendor: Vendor
  /** Parts of its arguments come one by one in a stream; false where its API gives calls whole. */
  readonly streamsArguments: boolean
  /** It asks for a prompt of a model by itself to be cached, or its API always does. */
  readonly ask: (at: Place, asked: Asked) => Promise<Told>
  /** HTTP status of an error it throws; undefined for an error without one. */
  readonly statusOf: (error: unknown) => number | undefined
}

export class Left extends Error {}
