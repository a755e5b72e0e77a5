// Where the data come from: the local server, or the file that holds the page.

import { openParcel, Parcel } from './parcel';

export interface Source {
  offline: boolean;
  json(path: string): Promise<any>;
  parcel(path: string): Promise<Parcel>;
}

class ServerSource implements Source {
  offline = false;
  private async answer(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path.split('/').map(encodeURIComponent).join('/'), { cache: 'no-store' });
    } catch {
      throw new Error("the server does not answer; was 'moreau view' ended?");
    }
    if (!response.ok) throw new Error((await response.json()).error);
    return response;
  }
  async json(path: string) { return (await this.answer(path)).json(); }
  async parcel(path: string) { return openParcel(await (await this.answer(path)).arrayBuffer()); }
}

class FileSource implements Source {
  offline = true;
  private elements = new Map<string, HTMLElement>();
  constructor(elements: Iterable<HTMLElement>) {
    for (const element of elements) this.elements.set(element.dataset.path!, element);
  }
  private async bytes(path: string): Promise<ArrayBuffer> {
    const element = this.elements.get(path);
    if (!element) throw new Error('this is not in the file');
    const packed = Uint8Array.from(atob(element.textContent!), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const bytes = await new Response(stream).arrayBuffer();
    if (element.dataset.status !== '200') throw new Error(JSON.parse(new TextDecoder().decode(bytes)).error);
    return bytes;
  }
  async json(path: string) { return JSON.parse(new TextDecoder().decode(await this.bytes(path))); }
  async parcel(path: string) { return openParcel(await this.bytes(path)); }
}

export function findSource(): Source {
  const elements = document.querySelectorAll<HTMLElement>('script[data-path]');
  return elements.length > 0 ? new FileSource(elements) : new ServerSource();
}
