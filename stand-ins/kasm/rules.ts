const page = (name: string) => `https://docs.kasm.com/docs/develop/reference/developer-api/${name}`

/** Rules of the API of 1.19 and later. */
export const KASM_SESSION_RULES = {
  authentication: { value: 'HTTP Basic of key and secret; else 401', source: page('') },
  start: { value: '202; the session is placed later, its status says when it runs', source: page('session-sessions-create') },
  idempotencyKey: {
    value: 'a repeated key replays user, session and token; another request under a used key is 409; without a key every request creates a user and a session',
    source: page('session-sessions-create'),
  },
  noResources: { status: 409, type: 'no-resources', source: page('session-sessions-create') },
  anonymousLimit: { status: 429, value: 'auth.api_anonymous_creation_limit users an hour', source: page('session-sessions-create') },
  image: { value: 'without image_id the owner’s default image, 400 if there is none', source: page('session-sessions-create') },
  delete: { value: '202 with desired state DELETED, also when it is being deleted; 404 once the session is removed', source: page('session-sessions-delete') },
  keepalive: {
    value: 'not promoted when the usage allowance is spent: usage_reached',
    source: 'https://docs.kasm.com/docs/develop/category/reference/developer-api/sessions',
  },
} as const

/** Rules of the older API: every call is a POST, and a refusal is 200 with `error_message`. `assumed`: not found on the page. */
export const KASM_PUBLIC_RULES = {
  authentication: {
    value: 'api_key and api_key_secret in the body of every call',
    source: 'https://www.kasmweb.com/docs/latest/developers/developer_api.html',
  },
  status: {
    assumed: true,
    value: 'while a session starts: operational_status and a message without kasm',
    source: 'https://www.kasmweb.com/docs/latest/developers/developer_api.html',
  },
  noResources: {
    assumed: true,
    message: 'No resources are available to create the requested Kasm.',
    source: 'https://www.kasmweb.com/docs/latest/developers/developer_api.html',
  },
  deleteUser: {
    assumed: true,
    value: 'a user with sessions is deleted only with force',
    message: 'User has sessions',
    source: 'https://www.kasmweb.com/docs/latest/developers/developer_api.html',
  },
} as const

/** States of a session; those after running are on the way to none. */
export const KASM_STATES = [
  'requested',
  'provisioning',
  'assigned',
  'starting',
  'running',
  'stopping',
  'stopped',
  'paused',
  'deleting',
  'deleted',
  'error',
] as const
