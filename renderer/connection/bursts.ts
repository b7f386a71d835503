/** Changes of a busy class come in bursts: a screen loads what they change at most this often. ms. */
const PAUSE = 500

/** Calls `listener` some time (ms) after `heard` was called, once for all calls that come meanwhile, until `end` is called. */
export function inBursts(
  listener: () => void,
  pause = PAUSE,
): { readonly heard: () => void; readonly end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    heard() {
      timer ??= setTimeout(() => {
        timer = undefined
        listener()
      }, pause)
    },
    end: () => clearTimeout(timer),
  }
}
