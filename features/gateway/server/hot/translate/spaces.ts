import type { Spaces } from './form.ts'

/**
 * Responses can group tools under a namespace and says both names in a call; the other dialects have one flat list. A
 * grouped tool is called `namespace__name` there, and its caller gets both names back.
 */
export function flatName(space: string, name: string): string {
  return `${space}__${name}`
}

/** The members of a call item that name its tool. */
export function spacedName(name: string, spaces: Spaces | undefined): { readonly name: string; readonly namespace?: string } {
  const found = spaces?.get(name)
  return found === undefined ? { name } : { name: found.name, namespace: found.space }
}
