/** The vendors whose models represent all models that the gateway serves. */
export const CONFORMANCE_VENDORS = ['openai', 'anthropic', 'google'] as const
export type ConformanceVendor = (typeof CONFORMANCE_VENDORS)[number]

export interface ClientTarget {
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}

/** A turn requested of a client, independent of any client's API. */
export interface ClientQuestion {
  readonly question: string
  readonly system?: string
  readonly media?: { readonly mime: string; readonly data: string; readonly name: string }
  readonly tool?: { readonly name: string; readonly description: string; readonly schema: Record<string, unknown> }
  readonly choice?: 'forced' | 'none'
  readonly schema?: Record<string, unknown>
  readonly thinking?: boolean
  readonly maxTokens?: number
  /** Marks the prompt for caching, if the client's API has cache marks. */
  readonly cache?: boolean
  readonly stream?: boolean
  /** Disconnects after the first piece of the response. */
  readonly leave?: boolean
}

export interface ClientReply {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: unknown }[]
  readonly end: 'end' | 'length' | 'tools' | 'other'
  /** Token counts; input includes cached tokens. */
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number }
  readonly thought: boolean
  /** Number of pieces in which a stream delivered text, and tool-call arguments. */
  readonly pieces: number
  readonly argPieces: number
  /** Continues the conversation with the results of the tool calls. */
  readonly answer: (result: string) => Promise<ClientReply>
}

/** One client package, used as its documentation shows. */
export interface ClientDriver {
  readonly id: string
  readonly label: string
  readonly package: string
  readonly vendor: ConformanceVendor
  /** True if tool-call arguments stream in pieces; false if the API delivers calls whole. */
  readonly streamsArguments: boolean
  /** True if the client requests prompt caching for a model by itself, or the API always caches. */
  readonly ask: (at: ClientTarget, asked: ClientQuestion) => Promise<ClientReply>
  /** HTTP status of a thrown error; undefined if the error has none. */
  readonly statusOf: (error: unknown) => number | undefined
}

export class ClientLeftError extends Error {}
