/** Deep links that put address and key into a desktop client. They hold the secret: build them when pressed, keep them nowhere. */
interface Target {
  readonly origin: string
  readonly secret: string
  readonly name: string
}

/** Base64 of UTF-8: btoa alone fails on Chinese names. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

export function buildCherryLink({ origin, secret, name }: Target): string {
  // One id a site: identical ids collide in Cherry Studio.
  const id = `mingxi-${new URL(origin).host.replace(/[^a-z0-9]+/gi, '-')}`
  const data = toBase64(JSON.stringify({ id, baseUrl: origin, apiKey: secret, name, type: 'openai' }))
  return `cherrystudio://providers/api-keys?v=1&data=${encodeURIComponent(data)}`
}

export function buildSwitchLink(app: 'claude' | 'codex' | 'gemini', { origin, secret, name }: Target): string {
  const query = new URLSearchParams({ resource: 'provider', app, name, homepage: origin, endpoint: app === 'codex' ? `${origin}/v1` : origin, apiKey: secret })
  return `ccswitch://v1/import?${query}`
}
