import { randomUUID } from 'node:crypto'
import type { ServerAddress } from '#platform/testing/server.ts'
import { PATIENCE_MS, waitForValue } from '#platform/testing/patience.ts'
import { solveCaptchaParam } from '#features/risk/server/builders.ts'

interface ReplyEnvelope {
  readonly code: number
  readonly msg: string
  readonly data: any
}

/** Calls the platform over real HTTP, as a browser would. */
export async function callPlatform(
  server: ServerAddress,
  method: 'GET' | 'POST',
  { path, input = {}, headers = {} }: { readonly path: string; readonly input?: object; readonly headers?: Record<string, string> },
): Promise<ReplyEnvelope> {
  const query = method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const reply = await fetch(`${server.baseUrl}${path}${query}`, {
    method,
    headers: { 'content-type': 'application/json', 'language': 'en', ...headers },
    ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return (await reply.json()) as ReplyEnvelope
}

/** The newest code mailed to an address, from the sandbox's mailbox. */
export async function fetchMailedCode(server: ServerAddress, to: string): Promise<string> {
  return fetchNewestCode(server, 'mails', to)
}

/** `captchaVerifyParam` for one call: the scene's hidden challenge, solved as a browser solves it; empty if the scene's captcha is off. */
export async function solveCaptchaOverHttp(server: ServerAddress, scene: 'login' | 'register' | 'reset' | 'bind' | 'security'): Promise<string> {
  const { data } = await callPlatform(server, 'GET', { path: '/common/captcha/challenge', input: { scene, kind: 'altcha' } })
  return data.challenge.kind === 'off' ? '' : solveCaptchaParam(data.challenge.challenge)
}

/** The newest code texted to a number (E.164), from the sandbox's phone. */
export async function fetchTextedCode(server: ServerAddress, to: string): Promise<string> {
  return fetchNewestCode(server, 'sms', to)
}

function fetchNewestCode(server: ServerAddress, box: 'mails' | 'sms', to: string): Promise<string> {
  return waitForValue(async () => {
    const reply = await fetch(`${server.baseUrl}/sandbox/${box}?to=${encodeURIComponent(to)}`)
    return JSON.stringify(await reply.json()).match(/"code":"(\d{6})"/)?.[1]
  }, `a code for ${to}`)
}

/** Registers over HTTP; returns the access token. */
export async function registerByHttp(server: ServerAddress, inviteCode?: string): Promise<{ token: string; email: string; password: string }> {
  const email = `v-${randomUUID().slice(0, 8)}@example.com`
  const password = 'Correct horse battery 7'
  const captchaVerifyParam = await solveCaptchaOverHttp(server, 'register')
  await callPlatform(server, 'POST', { path: '/user/email/verifyCode', input: { email, verifyCodeType: 'register', captchaVerifyParam } })
  const { code, msg, data } = await callPlatform(server, 'POST', {
    path: '/user/register',
    input: {
      ...{ email, password, verifyCode: await fetchMailedCode(server, email) },
      ...(inviteCode ? { inviteCode } : {}),
    },
  })
  if (code !== 200) throw new Error(msg)
  return { token: data.token, email, password }
}
