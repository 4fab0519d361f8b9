/** A path of this site, or nothing: a redirect parameter must not lead away. */
export function ownPath(path: string | undefined): string | undefined {
  return path && /^\/(?![/\\])/.test(path) ? path : undefined
}
