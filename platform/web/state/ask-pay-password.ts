import { create } from 'zustand'

interface State {
  /** Stays true, so that the host is mounted once. */
  readonly used: boolean
  readonly asked: { readonly answer: (password: string | undefined) => void } | undefined
}

/** What the host serves (features/account/web). */
export const usePayPasswordStore = create<State>(() => ({ used: false, asked: undefined }))

/**
 * Asks for the payment password before something sensitive: showing a card number, paying from the balance. Whoever has
 * none sets one first. Resolves with the six digits after the server found them right, to be sent with the call that
 * needs them, or undefined when the person closed it. Never keep what it gives.
 * @public for the features whose pages ask
 */
export function askPayPassword(): Promise<string | undefined> {
  return new Promise((resolve) => {
    usePayPasswordStore.getState().asked?.answer(undefined)
    const answer = (password: string | undefined) => {
      usePayPasswordStore.setState({ asked: undefined })
      resolve(password)
    }
    usePayPasswordStore.setState({ used: true, asked: { answer } })
  })
}
