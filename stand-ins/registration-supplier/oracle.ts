import type { Oracle } from '../kit/server.ts'
import { createOracle } from '../oracles/create-oracle.ts'
import { REGISTRATION_SUPPLIER_RULES } from './rules.ts'

const { states, reasons, refusals, firstAttempt } = REGISTRATION_SUPPLIER_RULES
const name = { type: 'string', minLength: 1, maxLength: 200 }
const job = {
  type: 'object',
  properties: {
    id: { type: 'string', pattern: String.raw`^[\w.-]{1,80}$` },
    state: { enum: states },
    reason: { type: 'string', minLength: 1, maxLength: 100 },
  },
  required: ['id', 'state'],
  additionalProperties: false,
}
/** Written by hand from docs/vendors/registration.md. */
const SCHEMAS = {
  submit: {
    type: 'object',
    properties: { key: name, email: { type: 'string', format: 'email' }, password: name, attempt: { type: 'integer', minimum: firstAttempt } },
    required: ['key', 'email', 'password', 'attempt'],
    additionalProperties: false,
  },
  find: { type: 'object', properties: { key: name }, required: ['key'], additionalProperties: false },
  nothing: { type: 'object', additionalProperties: false },
  job,
  refusal: {
    anyOf: [
      { type: 'object', properties: { error: { enum: [...reasons, ...refusals, 'unknown', 'invalid'] } }, required: ['error'], additionalProperties: false },
      // Without a signature of ours there is none of theirs.
      { const: 'not signed' },
    ],
  },
}

export const createRegistrationSupplierOracle = (): Oracle =>
  createOracle({
    vendor: 'registration-supplier',
    schemas: SCHEMAS,
    endpoints: {
      'POST /v1/registrations': { request: 'submit', reply: 'job' },
      'GET /v1/registrations': { request: 'find', reply: 'job' },
      'GET /v1/registrations/{id}': { request: 'nothing', reply: 'job' },
      'DELETE /v1/registrations/{id}': { request: 'nothing', reply: 'job' },
    },
    error: 'refusal',
  })
