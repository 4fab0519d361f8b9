import { randomUUID } from 'node:crypto'
import type { ServerAt } from '#platform/testing/server.ts'
import { PATIENCE_MS, until } from '#platform/testing/patience.ts'
import { solvedParam } from '#features/risk/server/builders.ts'

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: any
}

/** Calls the platform over real HTTP, as a browser would. */
export async function callPlatform(
  server: ServerAt,
  method: 'GET' | 'POST',
  path: string,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Envelope> {
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const reply = await fetch(`${server.baseUrl}${path}${query}`, {
    method,
    headers: { 'content-type': 'application/json', 'language': 'en', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return (await reply.json()) as Envelope
}

/** The newest code mailed to an address, from the sandbox's mailbox. */
export async function mailedCode(server: ServerAt, to: string): Promise<string> {
  return newestCode(server, 'mails', to)
}

/** `captchaVerifyParam` for one call: the scene's hidden challenge, solved as a browser solves it; empty where it is off. */
export async function captchaParam(server: ServerAt, scene: 'login' | 'register' | 'reset' | 'bind' | 'security'): Promise<string> {
  const { data } = await callPlatform(server, 'GET', '/common/captcha/challenge', { scene, kind: 'altcha' })
  return data.challenge.kind === 'off' ? '' : solvedParam(data.challenge.challenge)
}

/** The newest code texted to a number (E.164), from the sandbox's phone. */
export async function textedCode(server: ServerAt, to: string): Promise<string> {
  return newestCode(server, 'sms', to)
}

function newestCode(server: ServerAt, box: 'mails' | 'sms', to: string): Promise<string> {
  return until(async () => {
    const reply = await fetch(`${server.baseUrl}/sandbox/${box}?to=${encodeURIComponent(to)}`)
    return JSON.stringify(await reply.json()).match(/"code":"(\d{6})"/)?.[1]
  }, `a code for ${to}`)
}

/** Registers over HTTP; returns the access token. */
export async function register(server: ServerAt, inviteCode?: string): Promise<{ token: string; email: string; password: string }> {
  const email = `v-${randomUUID().slice(0, 8)}@example.com`
  const password = 'Correct horse battery 7'
  const captchaVerifyParam = await captchaParam(server, 'register')
  await callPlatform(server, 'POST', '/user/email/verifyCode', { email, verifyCodeType: 'register', captchaVerifyParam })
  const { code, msg, data } = await callPlatform(server, 'POST', '/user/register', {
    ...{ email, password, verifyCode: await mailedCode(server, email) },
    ...(inviteCode ? { inviteCode } : {}),
  })
  if (code !== 200) throw new Error(msg)
  return { token: data.token, email, password }
}
