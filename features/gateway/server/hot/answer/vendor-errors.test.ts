import { afterEach, describe, expect, it } from 'vitest'
import { CHAT_REQUEST, CHAT_STREAM_REQUEST, callLab, openLab } from '../testing/lab.ts'
import type { Lab } from '../testing/lab.ts'
import { formatHttpEvents, formatHttpJson } from '../testing/fake-upstream.ts'
import { RESPONSES_TRANSCRIPT } from '../testing/transcripts.ts'

let lab: Lab
afterEach(() => lab.close())

const OURS = /org-|proj[_-]|projects?[/ ]\d|sk-|AIza|gserviceaccount|billing|quota|credit/i
const GOOGLE = { path: '/v1beta/models/m:generateContent', body: { contents: [] } }
const CLAUDE = { path: '/v1/messages', body: CHAT_REQUEST }
const OPENAI = { path: '/v1/chat/completions', body: CHAT_REQUEST }
const google = (status: string, message: string) => ({ error: { code: 429, message, status, details: [{ consumer: 'projects/558014512345' }] } })

describe('vendor messages about our account are hidden', () => {
  it.each([
    [429, OPENAI, { error: { message: 'Rate limit reached for m in organization org-abcdefgh1234 on tokens per min', code: 'rate_limit_exceeded' } }, 429],
    [429, OPENAI, { error: { message: 'You exceeded your current quota, please check your plan and billing details', code: 'insufficient_quota' } }, 429],
    [429, GOOGLE, google('RESOURCE_EXHAUSTED', 'Quota exceeded for metric x of project number 558014512345'), 429],
    [
      429,
      CLAUDE,
      { type: 'error', error: { type: 'rate_limit_error', message: 'This would exceed the rate limit of your organization (abc) of 40,000' } },
      429,
    ],
    [529, CLAUDE, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded, see org-abcdefgh1234' } }, 529],
    [500, OPENAI, { error: { message: 'oops in proj_abcdefgh1234', type: 'server_error' } }, 502],
    [400, CLAUDE, { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' } }, 502],
    [400, OPENAI, { error: { message: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' } }, 502],
    [400, GOOGLE, { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'Please enable billing on project 558014512345' } }, 502],
    [400, GOOGLE, { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' } }, 502],
    [403, OPENAI, { error: { message: 'Project `proj_abcdefgh1234` does not have access to model m' } }, 502],
    [401, OPENAI, { error: { message: 'Incorrect API key provided: sk-pr*****abcd' } }, 502],
  ])('%i %o', async (status, ask, body, shown) => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(body, status, 'retry-after: 7\r\n'))
    }
    const answer = await callLab(lab, ask)
    expect(answer.status).toBe(shown)
    expect(answer.body).not.toMatch(OURS)
    expect(JSON.parse(answer.body)).toHaveProperty('error.message')
    expect(answer.headers['retry-after']).toBe('7')
    expect(lab.journal.settled).toEqual([])
    expect(lab.journal.released.length).toBe(1)
  })

  it('in streams and failed responses too', async () => {
    lab = await openLab()
    const error = { code: 'rate_limit_exceeded', message: 'Rate limit reached in organization org-abcdefgh1234, project proj_abcdefgh1234' }
    lab.upstream.answer = (_seen, socket) => {
      socket.write(
        formatHttpEvents(
          `${RESPONSES_TRANSCRIPT.split('\n\n')[0]}\n\nevent: response.failed\ndata: {"type":"response.failed","response":${JSON.stringify({ error })}}\n\n`,
        ),
      )
    }
    expect((await callLab(lab, { path: '/v1/responses', body: { model: 'm', input: 'x', stream: true } })).body).toContain(
      'organization org-hidden, project proj-hidden',
    )
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson({ status: 'failed', error, usage: null }))
    }
    expect((await callLab(lab, { path: '/v1/responses', body: { model: 'm', input: 'x' } })).body).toContain('organization org-hidden')
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpEvents(`data: ${JSON.stringify({ error })}\n\n`))
    }
    expect((await callLab(lab, { body: CHAT_STREAM_REQUEST })).body).toContain('organization org-hidden')
  })
})

describe('vendor messages about the request pass unchanged', () => {
  it.each([
    [400, '{"error":{"message":"Invalid type for \'messages\': your project plan is 12 pages long","param":"messages"}}'],
    [404, '{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}'],
    [413, '{"error": {"message":"too large"}}'],
    [422, '{"error":{"message":"cannot"}}'],
  ])('%i', async (status, text) => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(formatHttpJson(text, status, 'x-request-id: v\r\n'))
    }
    const answer = await callLab(lab, { body: CHAT_REQUEST })
    expect(answer.body).toBe(text)
    expect(answer.status).toBe(status)
    expect(answer.headers['x-upstream-request-id']).toBe('v')
  })

  it('with the names of our account removed', async () => {
    lab = await openLab()
    lab.upstream.answer = (_seen, socket) => {
      socket.write(
        formatHttpJson(
          { error: { message: 'No such file for projects/558014512345 (a@b-1.iam.gserviceaccount.com), org-abcdefgh1234, AIzaSyD9x', param: 'f' } },
          400,
        ),
      )
    }
    expect(JSON.parse((await callLab(lab, { body: CHAT_REQUEST })).body)).toEqual({
      error: { message: 'No such file for projects/hidden (hidden), org-hidden, AIzahidden', param: 'f' },
    })
  })
})
