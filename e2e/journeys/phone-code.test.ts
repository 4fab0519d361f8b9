import { expect, test } from 'vitest'
import { getSharedServer } from '#platform/testing/server.ts'
import { callPlatform, solveCaptchaOverHttp, fetchTextedCode } from '../visitor.ts'

// A phone registers over HTTP, on the real server with its worker: captcha, code by text message, account.
const server = await getSharedServer()

test('a captcha is good for one code, the code for one account', async () => {
  const mobile = '13800137321'
  const ask = (captchaVerifyParam: string) => callPlatform(server, 'POST', { path: `/user/register/verifyCode/${mobile}`, input: { captchaVerifyParam } })
  expect((await ask('')).code).toBe(2500)
  const param = await solveCaptchaOverHttp(server, 'register')
  expect(await ask(param)).toMatchObject({ code: 200 })
  expect((await ask(param)).code).toBe(2500)
  expect((await ask(await solveCaptchaOverHttp(server, 'login'))).code).toBe(2500)
  const verifyCode = await fetchTextedCode(server, `+86${mobile}`)
  const account = { mobile, password: 'Correct horse battery 7', verifyCode }
  expect(await callPlatform(server, 'POST', { path: '/user/register', input: account })).toMatchObject({ code: 200 })
  expect((await callPlatform(server, 'POST', { path: '/user/register', input: account })).code).not.toBe(200)
})
