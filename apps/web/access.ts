/** Visitors see everything but the console; of the console, the prices (specification 1, section 6). */
export function isPublic(pathname: string, search: Readonly<Record<string, unknown>>): boolean {
  return pathname !== '/api' || search['tab'] === 'pricing'
}
