interface EarlyCall {
  readonly url: string
  readonly token: string
  readonly reply: Promise<Response>
}

/** Returns, once, the response to the call that boot.js sent ahead of the code, for the same request and session. */
export function takeEarlyReply(url: string, token: string | undefined): Promise<Response> | undefined {
  const held = globalThis as { __early?: EarlyCall | undefined }
  const early = held.__early
  if (!early || early.url !== url || early.token !== token) return undefined
  held.__early = undefined
  return early.reply
}
