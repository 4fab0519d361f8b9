import { lazy, type ComponentType } from 'react'

/**
 * Loads an optional part of a page separately and omits it if its code cannot be loaded. If the network was down, it is loaded once the
 * network is back.
 */
export function lazyExtra<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(async () => ({ default: await loadInTime(load).catch((): ComponentType<P> => Nothing) }))
}

export async function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((back) => addEventListener('online', back, { once: true }))
    return load()
  }
}

function Nothing() {
  return null
}
