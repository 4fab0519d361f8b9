import Fastify from 'fastify'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import { mountOtherApi } from './other-api.ts'

interface Heard {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
let heard: Heard[] = []
/** Simulates the production site. */
const production = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += String(piece)
  heard.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
  response
    .writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_there', 'set-cookie': 'a=b' })
    .end('{"code":200,"msg":"","data":{"there":true}}')
})
beforeAll(() => new Promise<void>((done) => production.listen(0, '127.0.0.1', done)))
afterAll(() => void production.close())
beforeEach(() => void (heard = []))

const urlOf = () => `http://127.0.0.1:${(production.address() as AddressInfo).port}`

function site(STAGE: 'production' | 'qa' | 'development') {
  const app = Fastify()
  app.setErrorHandler((error, _, reply) => reply.status(error instanceof Failure ? 400 : 500).send({ code: error instanceof Failure ? error.errorName : '' }))
  mountOtherApi(app, { STAGE, PRODUCTION_URL: `${urlOf()}/app`, CHINA_URL: undefined })
  app.get('/user/info', async () => ({ here: true }))
  app.post('/user/login', async () => ({ here: true }))
  return app
}
const to = (target: string) => ({ 'x-api-target': target })

test('a call that names the production API is passed on, with what such a call carries and nothing else', async () => {
  const app = site('qa')
  const headers = {
    ...to('production'),
    'accesstoken': 't',
    'idempotency-key': 'k',
    'language': 'en',
    'cookie': 'c=1',
    'authorization': 'Bearer x',
    'x-forwarded-for': '9.9.9.9',
  }
  const reply = await app.inject({ method: 'POST', url: '/user/login?a=%2F', headers, payload: { email: 'a@b.cn' } })
  expect([reply.json(), reply.headers['x-request-id'], reply.headers['set-cookie']]).toEqual([
    { code: 200, msg: '', data: { there: true } },
    'req_there',
    undefined,
  ])
  expect(heard).toMatchObject([
    { line: 'POST /user/login?a=%2F', body: '{"email":"a@b.cn"}', headers: { 'accesstoken': 't', 'idempotency-key': 'k', 'language': 'en' } },
  ])
  for (const name of ['cookie', 'authorization', 'x-forwarded-for', 'x-api-target']) expect([name, heard[0]!.headers[name]]).toEqual([name, undefined])
})

test('a call without the name is answered here; one for an unconfigured site is refused', async () => {
  const app = site('development')
  expect((await app.inject('/user/info')).json()).toEqual({ here: true })
  for (const target of ['china', 'elsewhere', '', 'constructor']) {
    const reply = await app.inject({ url: '/user/info', headers: to(target) })
    expect([target, reply.statusCode, reply.json()]).toEqual([target, 400, { code: 'BAD_INPUT' }])
  }
  expect(heard).toEqual([])
})

test('in production no call is passed on', async () => {
  expect((await site('production').inject({ url: '/user/info', headers: to('production') })).json()).toEqual({ here: true })
  expect(heard).toEqual([])
})

test('no spelling of a path leads to another host', async () => {
  const hosts: string[] = []
  const send: typeof fetch = async (url) => {
    hosts.push(new URL(String(url)).host)
    return Response.json({})
  }
  const app = Fastify()
  mountOtherApi(app, { STAGE: 'qa', PRODUCTION_URL: 'http://mingxi.test', CHINA_URL: undefined }, send)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = (target: string) =>
    new Promise<void>((done) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('data', () => undefined).on('close', () => done())
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nx-api-target: production\r\nConnection: close\r\n\r\n`)
    })
  for (const target of ['/user/info', '//evil.test/', 'http://evil.test/', 'http:evil.test/', '.evil.test/', '@evil.test/', ':1@evil.test/']) await ask(target)
  expect(hosts).toEqual(['mingxi.test', 'mingxi.test'])
  await app.close()
})
