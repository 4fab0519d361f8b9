import type { ToolNamespaces } from './form.ts'

/**
 * Responses can group tools under a namespace and uses both names in a call; the other dialects have one flat list. A grouped tool is
 * called `namespace__name` there, and its caller gets both names back.
 */
export function formatFlatName(space: string, name: string): string {
  return `${space}__${name}`
}

/** Members of a call item that name its tool. */
export function resolveSpacedName(name: string, spaces: ToolNamespaces | undefined): { readonly name: string; readonly namespace?: string } {
  const found = spaces?.get(name)
  return found === undefined ? { name } : { name: found.name, namespace: found.space }
}
