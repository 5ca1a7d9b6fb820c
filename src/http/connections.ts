import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a process, and no more than it can bear. Who opens many and says little on them, or nothing,
 * must not keep others out: room is made by closing the one that has waited longest for its client.
 */
export class Connections {
  readonly #most: number;
  readonly #takeTimeout: number;
  /**
   * What is being answered on each, which is more than one where a client does not wait. Lists of a connection: a set of
   * all answers would be made anew again and again as they come and go, and each of those keeps what it held alive until
   * the old generation is collected.
   */
  readonly #open = new Map<Socket, ServerResponse[]>();
  /** Those on which nothing is being answered, the one that has waited longest for its client first. */
  readonly #waiting = new Set<Socket>();

  /** @param takeTimeout how long nothing of an answer may be taken before its connection is closed, in milliseconds */
  constructor(most: number, takeTimeout: number) {
    this.#most = most;
    this.#takeTimeout = takeTimeout;
  }

  opened(socket: Socket): void {
    this.#open.set(socket, []);
    this.#waiting.add(socket);
    socket.once('close', () => {
      this.#forget(socket);
    });
    if (this.#open.size > this.#most) this.#makeRoom();
  }

  /** A request has begun: its headers are here, and its body may still be on the way. */
  asked(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.#waiting.delete(socket);
    const answering = this.#open.get(socket) ?? [];
    answering.push(response);
    if (bringsBody(request)) {
      this.#waiting.add(socket);
      request.once('end', () => {
        if (!response.writableEnded) this.#waiting.delete(socket);
      });
    }
    this.#limitTaking(response, socket);
    response.once('close', () => {
      answering.splice(answering.indexOf(response), 1);
      if (!this.#open.has(socket)) return;
      this.#waiting.delete(socket);
      this.#waiting.add(socket);
    });
  }

  /** What is being answered, or still on its way out. */
  inFlight(): ServerResponse[] {
    return [...this.#open.values()].flat();
  }

  /** Closes those that were opened ahead of need: a server that closes would wait for a first request on them. */
  closeUnused(): void {
    for (const socket of this.#open.keys()) {
      if (socket.bytesRead === 0) socket.destroy();
    }
  }

  /** From when an answer is whole, or flows, it has to be taken. While one is made nothing is said for minutes. */
  #limitTaking(response: ServerResponse, socket: Socket): void {
    socket.setTimeout(0);
    const limit = (): void => {
      socket.setTimeout(this.#takeTimeout);
    };
    response.once('pipe', limit);
    response.once('prefinish', limit);
  }

  #makeRoom(): void {
    for (const socket of this.#waiting) {
      this.#forget(socket);
      socket.destroy();
      return;
    }
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#waiting.delete(socket);
  }
}

const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
