import { z } from 'zod'
import { commonErrors } from '#platform/shared/errors.ts'
import { fileReply } from '#platform/shared/contract.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import type { Feature } from '../feature.ts'
import { LANGUAGES, RECORD_LANG } from '#platform/shared/languages.ts'

interface Operation {
  'tags': string[]
  'summary': string
  'security'?: object[]
  'parameters': object[]
  'requestBody'?: object
  'responses': Record<string, object>
  'x-errors': string[]
}
export interface OpenApi {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: object
}

/** Builds the OpenAPI 3.1 description of every endpoint from the contracts. */
export function buildOpenApi(features: readonly Feature[], info: { title: string; version: string }): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const feature of features) {
    for (const { contract } of feature.routes ?? []) {
      for (const endpoint of Object.values(contract)) {
        ;(paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = buildOperation(
          feature.name,
          endpoint,
          feature.broughtErrors?.[`${endpoint.method} ${endpoint.path}`]?.(),
        )
      }
    }
  }
  return { openapi: '3.1.0', info, paths, components: { securitySchemes: { accessToken: { type: 'apiKey', in: 'header', name: 'accessToken' } } } }
}

function buildOperation(tag: string, endpoint: Endpoint, brought: readonly string[] = []): Operation {
  const input = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, object>; required?: string[] }
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const others = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
  const headers = endpoint.idempotency
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: endpoint.idempotency === 'required' && !endpoint.actsWith,
          schema: { type: 'string', maxLength: 200 },
        },
      ]
    : []
  const envelope = {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { const: 200 }, msg: { type: 'string' }, data: z.toJSONSchema(endpoint.reply, { unrepresentable: 'any' }) },
  }
  return {
    'tags': [tag],
    'summary': endpoint.summary,
    ...(endpoint.access === 'public' ? {} : { security: [{ accessToken: [] }] }),
    'parameters': [
      ...headers,
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: input.properties?.[name] ?? { type: 'string' } })),
      ...(endpoint.method === 'GET' ? others.map(([name, schema]) => ({ name, in: 'query', required: input.required?.includes(name) ?? false, schema })) : []),
    ],
    ...(endpoint.method === 'POST'
      ? {
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: Object.fromEntries(others), required: input.required?.filter((name) => !inPath.includes(name)) ?? [] },
              },
            },
          },
        }
      : {}),
    'responses': {
      200: {
        description: 'Envelope; code 200 is success, any other code a refusal',
        content: {
          'application/json': { schema: envelope },
          ...(endpoint.reply === fileReply ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } : {}),
        },
      },
    },
    'x-errors': [
      ...endpoint.errors,
      ...brought,
      ...Object.keys(commonErrors).filter((name) =>
        name === 'IDEMPOTENCY_KEY_REQUIRED'
          ? endpoint.idempotency === 'required'
          : name.startsWith('IDEMPOTENCY')
            ? endpoint.idempotency
            : name === 'SESSION_EXPIRED' || name === 'SIGNED_OUT_ELSEWHERE'
              ? endpoint.access !== 'public'
              : ['BAD_INPUT', 'TOO_MANY', 'INTERNAL'].includes(name),
      ),
    ],
  }
}

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** Renders the description as a page without scripts: one collapsible line per endpoint. */
export function renderOpenApiPage(document: OpenApi): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, op]) => ({ path, method, op })))
  const tags = [...new Set(rows.map((row) => row.op.tags[0]!))]
  const section = (tag: string) =>
    `<h2 id="${tag}">${tag}</h2>${rows
      .filter((row) => row.op.tags[0] === tag)
      .map(
        ({ path, method, op }) => `
<details><summary><b>${method.toUpperCase()}</b> <code>${escape(path)}</code> <span>${escape(op.summary)}</span>${op.security ? '<i>accessToken</i>' : '<i>public</i>'}</summary>
<p>Errors: ${op['x-errors'].map((name) => `<code>${name}</code>`).join(' ')}</p>
${op.parameters.length ? `<h3>Parameters</h3><pre tabindex="0">${escape(JSON.stringify(op.parameters, null, 2))}</pre>` : ''}
${op.requestBody ? `<h3>Body</h3><pre tabindex="0">${escape(JSON.stringify(op.requestBody, null, 2))}</pre>` : ''}
<h3>Reply</h3><pre tabindex="0">${escape(JSON.stringify(op.responses, null, 2))}</pre></details>`,
      )
      .join('')}`
  return `<!doctype html><html lang="${LANGUAGES[RECORD_LANG].tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(document.info.title)}</title>
<style>:root{color-scheme:light dark}body{font:14px/1.6 system-ui,sans-serif;max-width:960px;margin:0 auto;padding:32px 20px}code,pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}code{overflow-wrap:anywhere}
details{border-bottom:1px solid #8884;padding:8px 0}summary{cursor:pointer;min-height:28px}summary b{display:inline-block;width:48px}summary span{margin:0 8px}summary i{font-style:normal;font-size:12px;border:1px solid #8888;border-radius:5px;padding:0 6px}pre{overflow:auto;max-height:420px;padding:12px;border:1px solid #8884}nav{display:flex;flex-wrap:wrap;gap:0 16px}nav a{line-height:28px}body{background:#fff;color:#131b1c}a{color:#0f5d4b}@media(prefers-color-scheme:dark){body{background:#0b0f10;color:#ecf1f2}a{color:#70dbbc}}</style>
<body><main><h1>${escape(document.info.title)}</h1><p>Made from the contracts the server is bound to. Machine form: <a href="/docs/openapi.json">/docs/openapi.json</a>. The model API (/v1, /v1beta) belongs to its vendors and is described by them.</p>
<nav aria-label="Features">${tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join('')}</nav>${tags.map(section).join('')}</main></body></html>`
}
