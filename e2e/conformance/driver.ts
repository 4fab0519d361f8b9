/** The vendors whose models stand for all that the gateway serves. */
export const CONFORMANCE_VENDORS = ['openai', 'anthropic', 'google'] as const
export type ConformanceVendor = (typeof CONFORMANCE_VENDORS)[number]

export interface ClientTarget {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}

/** A turn asked of a client, in no client's words. */
export interface ClientQuestion {
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

export interface ClientReply {
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
  readonly answer: (result: string) => Promise<ClientReply>
}

/** One client package, and how it is used as its documentation says. */
export interface ClientDriver {
  readonly id: string
  readonly label: string
  readonly package: string
  readonly vendor: ConformanceVendor
  /** Parts of its arguments come one by one in a stream; false where its API gives calls whole. */
  readonly streamsArguments: boolean
  /** It asks for a prompt of a model by itself to be cached, or its API always does. */
  readonly ask: (at: ClientTarget, asked: ClientQuestion) => Promise<ClientReply>
  /** HTTP status of an error it throws; undefined for an error without one. */
  readonly statusOf: (error: unknown) => number | undefined
}

export class ClientLeftError extends Error {}
