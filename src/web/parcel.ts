// The counterpart of src/moreau/web/parcel.hpp: a header in JSON and arrays of numbers, looked at in place.

export type Numbers = Uint8Array | Uint16Array | Int32Array | Float32Array | Float64Array;

export interface Parcel {
  header: any;
  bytes: number;
  array(name: string): Numbers;       // a sentence as an Error if it is absent
  optional(name: string): Numbers | null;
}

const kinds: Record<string, any> = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

export function openParcel(buffer: ArrayBuffer): Parcel {
  const start = new Uint8Array(buffer, 0, 4);
  if (String.fromCharCode(...start) !== 'MRV1') throw new Error('what the program sent is not understood');
  const length = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const arrays = new Map<string, Numbers>();
  for (const a of header.arrays) arrays.set(a.name, new kinds[a.type](buffer, 8 + length + a.offset, a.rows * a.components));
  const optional = (name: string) => arrays.get(name) ?? null;
  return {
    header, bytes: buffer.byteLength, optional,
    array(name: string) {
      const found = optional(name);
      if (!found) throw new Error(`what the program sent lacks '${name}'`);
      return found;
    },
  };
}
