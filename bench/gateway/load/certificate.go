package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Certificate signs itself, so it is its own authority.
type Certificate struct {
	pair      tls.Certificate
	der, pkcs []byte
}

func newCertificate() (Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: "bench"},
		DNSNames:              []string{"localhost", "tunnel.bench.example"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return Certificate{}, err
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(key)
	return Certificate{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, der, pkcs}, err
}

// writeCertificate makes tls.crt and tls.key for the outer hop of tunnels.
func writeCertificate(directory string) error {
	certificate, err := newCertificate()
	if err != nil {
		return err
	}
	if err := writePem(filepath.Join(directory, "tls.crt"), "CERTIFICATE", certificate.der); err != nil {
		return err
	}
	return writePem(filepath.Join(directory, "tls.key"), "PRIVATE KEY", certificate.pkcs)
}

func writePem(file, kind string, der []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
